(() => {
  document.documentElement.classList.add("cf-script");
})();
